"""agon_arena under a shorter name: `import agon` gives the same module object. The arena puts this file in
reach of the programs that it starts; elsewhere the name may be another package's."""
import sys

import agon_arena

sys.modules[__name__] = agon_arena
