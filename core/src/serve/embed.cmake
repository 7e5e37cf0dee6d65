# cmake -D PAGE=... -D REPORT=... -D OUT=... -P embed.cmake: writes a source file that holds the
# files of the folder PAGE as bytes, and styles and scripts of the folder REPORT as report/NAME.
file(GLOB_RECURSE files RELATIVE ${PAGE} ${PAGE}/*)
list(TRANSFORM files PREPEND ${PAGE}/ OUTPUT_VARIABLE paths)
file(GLOB shared RELATIVE ${REPORT} ${REPORT}/*.css ${REPORT}/*.js)
list(TRANSFORM shared PREPEND ${REPORT}/ OUTPUT_VARIABLE shared_paths)
list(TRANSFORM shared PREPEND report/)
list(APPEND files ${shared})
list(APPEND paths ${shared_paths})

set(type_html text/html)
set(type_css text/css)
set(type_js text/javascript)
set(type_json application/json)
set(type_svg image/svg+xml)
set(type_png image/png)
set(type_ico image/x-icon)
set(type_woff2 font/woff2)

set(arrays "")
set(rows "")
set(count 0)
foreach(file path IN ZIP_LISTS files paths)
  cmake_path(GET file EXTENSION LAST_ONLY ending)
  string(REPLACE "." "" ending "${ending}")
  set(type text/plain)
  if(DEFINED type_${ending})
    set(type ${type_${ending}})
  endif()
  if(type MATCHES "^text/")
    string(APPEND type "; charset=utf-8")
  endif()
  file(READ ${path} bytes HEX)
  file(SIZE ${path} size)
  file(SHA256 ${path} digest)
  string(SUBSTRING ${digest} 0 32 digest)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(APPEND arrays "constexpr char kFile${count}[] = \"${bytes}\";\n")
  string(APPEND rows
    "    {\"${file}\", \"${type}\", {kFile${count}, ${size}}, \"\\\"${digest}\\\"\"},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT} "#include \"http/assets.hpp\"

namespace agon::serve {
namespace {

${arrays}
constexpr Asset kAssets[] = {
${rows}};

}  // namespace

const Asset* asset(std::string_view name) {
  for (const Asset& found : kAssets)
    if (found.name == name) return &found;
  return nullptr;
}

}  // namespace agon::serve
")
