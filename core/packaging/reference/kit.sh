#!/bin/sh
# kit.sh HEADER: the header with its names put into the group of its kit, which is its folder, for
# Doxygen: its macros, and what stands in its namespace.
case $1 in
  */agon/model/*.hpp) group='model Parts of model agents' ;;
  */agon/analysis/*.hpp) group='analysis Analysis' ;;
  *.hpp) group='agon Games and agents' ;;
  *) exec cat "$1" ;;
esac
open="/** @addtogroup $group */ /** @{ */"
close='/** @} */'
sed -e "s|^#pragma once\$|$open|" -e "s|^namespace agon[a-z:]* {\$|$close & $open|" \
  -e "s|^}  // namespace agon.*\$|$close } $open|" -e "\$a $close" "$1"
