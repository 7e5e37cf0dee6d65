#!/usr/bin/env bash
# wheel.sh SOURCE BUILD [--debian]: the wheel, made of the build, installed by pip as people install it, and tried where
# nothing else of Agon is in reach; as root also where there is nothing but glibc and libstdc++.
# With --debian also, as root and with the mirror that /etc/apt names, in fresh systems of three releases.
set -euo pipefail
source=$1
build=$2
for tool in patchelf libdeflate-gzip objdump dpkg; do
  command -v "$tool" >/dev/null || { echo "skipped: there is no $tool here"; exit 4; }
done
python=$(command -v /usr/bin/python3 || command -v python3)
"$python" -c 'import ensurepip, venv' 2>/dev/null || { echo "skipped: there is no python3-venv here"; exit 4; }
work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf --one-file-system "$work"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

mkdir "$work/once" "$work/again"
for folder in once again; do "$python" "$source/core/packaging/wheel.py" "$build" --out "$work/$folder"; done
! "$python" "$source/core/packaging/wheel.py" "$work" 2>"$work/log" || fail "a wheel of no build"
grep -q "is no build folder" "$work/log" || { cat "$work/log"; fail "what is no build is not told"; }
wheel=$(echo "$work"/once/agon_arena-*-py3-none-manylinux_2_*.whl)
cmp "$wheel" "$work/again/$(basename "$wheel")" || fail "made again, the wheel is another one"
# The bound is that of the wheel for others, which is made on Debian 12; newer systems have larger libraries.
newer=$(echo "$wheel" | grep -cE 'manylinux_2_(3[7-9]|[4-9])' || true)
(($(stat --format %s "$wheel") <= 12000000 + newer * 1000000)) || fail "the wheel has more than 12 MB"
# No file of it asks for a symbol of a system newer than its name says, nor than Debian 11 if made on Debian 12.
"$python" -m zipfile -e "$wheel" "$work/unpacked"
PYTHONPATH=$source/core/packaging "$python" -B - "$work/unpacked" "$build/bin/agon" $newer <<'PYTHON'
import os, sys, older_systems, wheel
files = list(wheel.elf_files(sys.argv[1]))
newer = {path: older_systems.Wanted(path).newer() for path in files}
assert len(files) > 30 and (sys.argv[3] != "0" or not any(newer.values())), newer
assert "__libc_start_main@GLIBC_2.34" in older_systems.Wanted(os.path.realpath(sys.argv[2])).newer()
own = [each for each in files if each.endswith(older_systems.LIBRARY)]
defined, wanted = (wheel.symbols(own[0], undefined) for undefined in (False, True))
assert "stat" in defined and not defined & wanted, defined & wanted  # such a function calls itself
PYTHON
# On a system that is too old, command and module say so.
chmod +x "$work/unpacked/agon_arena/tree/bin/agon"
echo 9.31 >"$work/unpacked/agon_arena/tree/glibc"
! PYTHONPATH=$work/unpacked "$python" -m agon_arena --version 2>"$work/log" || fail "a system that is too old"
grep -q "needs glibc 9.31 or newer, and this system has glibc 2" "$work/log" || { cat "$work/log"; fail "no reason"; }
rm -r "$work/unpacked"

# Names of the system are not taken: a process has one library of a name, and others need the system's.
foreign=$("$python" -m zipfile -l "$wheel" | grep -o 'tree/lib/[^/ ]*\.so[^ ]*' | grep -vE 'tree/lib/(agon-|libagon)' || true)
[[ -z $foreign ]] || fail "libraries with names of the system: $foreign"

# What a person does with it: try.sh COMMAND PYTHON, where the latter finds the package.
cat >"$work/try.sh" <<'TRY'
set -eu
agon=$1 python=$2
fail() { echo "$*"; exit 1; }
cd "$(mktemp -d)"
"$agon" --version >version
"$python" -m agon_arena --version | cmp - version || fail "the command of the module is another"
"$agon" new game mine --language python >told
"$agon" play mine/mine_game.py --sandbox always --out mine.agon >told
grep -q 'seat 1  ' told || fail "no game in Python"
"$python" - <<'PYTHON'
import agon_arena as agon
assert len(agon.read("mine.agon").seats) == 2
assert agon.program.find().endswith("/agon_arena/tree/bin/agon"), agon.program.find()
with agon.make("deal-or-no-deal", agents={"1": "random"}) as env:
    env.reset(seed=1)
    while not env.terminations[env.agent_selection]:
        env.draw()
    assert len(env.outcome().payoffs) == 2
with agon.make("mine", plugins=["mine/mine_game.py"]) as env:
    env.reset(seed=1)
    env.draw()
suite = {"agents": {"floor": "random"}, "design": {"focal": ["own"], "background": "floor", "blocks": 2},
         "scenarios": [{"game": "bargaining"}]}
ran = agon.run(suite, {"own": lambda question: question.draw()}, out="own.agon")
assert ran["played"] == ran["matches"] == 4 and "own" in str(ran.report()), ran.data
PYTHON
TRY
cat >"$work/more.sh" <<'MORE'
[ "$("$agon" bench --signature)" = "$SIGNATURE" ] || fail "another signature"
"$agon" list games >games && grep -q bargaining games || fail "no games"
"$agon" list importers >told && grep -q deal-or-no-deal told || fail "no importers"
"$agon" run scenarios/quickstart.json --out q.agon --quiet >told
"$agon" report q.agon >report && grep -Eq '1(-[0-9]+)?  reference' report || fail "no leaderboard"
cat >agent.py <<'AGENT'
import agon_arena as agon
agon.agent(lambda question: question.draw())
AGENT
"$agon" play mine/mine_game.py --seat 0="external:command=$python agent.py" >told
MORE
signature=$(cat "$source/tests/command/signature.txt")
try() {  # try SCRIPT COMMAND PYTHON [variables]
  local script=$1 agon=$2 own=$3
  shift 3
  env -i HOME="$work" TMPDIR="$work" SIGNATURE="$signature" "$@" bash "$script" "$agon" "$own" \
    >"$work/log" 2>&1 || { cat "$work/log"; fail "$agon"; }
}
pip() { "$work/venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }

echo "== in a virtual environment"
"$python" -m venv "$work/venv"
pip install --no-index "$wheel"
pip check
cat "$work/try.sh" "$work/more.sh" >"$work/all.sh"
try "$work/all.sh" agon python PATH="$work/venv/bin:/usr/bin:/bin"
# Without a Python in PATH the game is run by the one that has the package.
mkdir "$work/tools"
for tool in bash cmp grep mktemp; do ln -s "$(command -v $tool)" "$work/tools"; done
try "$work/try.sh" "$work/venv/bin/agon" "$work/venv/bin/python" PATH="$work/tools"
"$work/venv/bin/python" - <<'PYTHON'
import base64, hashlib, importlib.metadata, os
for each in importlib.metadata.files("agon-arena"):
    if each.hash and "../bin" not in str(each):  # pip has written the interpreter into the script
        with open(each.locate(), "rb") as file:
            digest = base64.urlsafe_b64encode(hashlib.sha256(file.read()).digest()).rstrip(b"=").decode()
        assert digest == each.hash.value, each
assert not any(str(each).startswith("agon.py") for each in importlib.metadata.files("agon-arena"))
PYTHON

if command -v cc >/dev/null; then
  tree=$("$work/venv/bin/python" -c 'import agon_arena, os; print(os.path.dirname(agon_arena.__file__))')/tree
  cc -I "$tree/include" "$source/tests/environment/program.c" "$tree/lib/libagon_c.so" -Wl,-rpath,"$tree/lib" \
    -o "$work/program"
  "$work/program" | grep -q " steps, " || fail "a C program on the wheel"
fi

echo "== in a folder of its own, and after that is moved"
pip install --no-index --target "$work/target" "$wheel"
try "$work/try.sh" "$work/target/bin/agon" "$python" PATH=/usr/bin:/bin PYTHONPATH="$work/target"
mkdir "$work/else where"
mv "$work/target" "$work/else where"
try "$work/try.sh" "$work/else where/target/bin/agon" "$python" PATH=/usr/bin:/bin PYTHONPATH="$work/else where/target"

[[ $(id -u) == 0 ]] || { echo "the part in a bare system is left out: it takes root"; exit 0; }
echo "== where there is nothing but glibc and libstdc++, with certificates where another distribution has them"
root=$work/root
mkdir -p "$root/proc" "$root/tmp" "$root/etc/pki/tls/certs"
mv "$work/else where/target/agon_arena/tree" "$root/agon"
while read -r file; do
  mkdir -p "$root$(dirname "$file")"
  cp "$file" "$root$file"
done < <(ldd "$root/agon/bin/agon" | grep -oE '/\S*/(ld-linux[^/ ]*|(libc|libm|libstdc\+\+)\.so\.6|lib(pthread\.so\.0|dl\.so\.2)|libgcc_s\.so\.1)')
unshare --mount mount --bind /proc "$root/proc" 2>/dev/null ||
  { echo "left out: /proc cannot be mounted here"; exit 0; }
bare() {  # bare WORDS [variables]: the command there
  unshare --mount bash -c 'mount --bind /proc "$0/proc" && exec env -i PATH="$PATH" HOME=/tmp "${@:2}" \
    chroot "$0" /agon/bin/agon $1' "$root" "$@"
}
[[ $(bare "bench --signature") == "$signature" ]] || fail "a signature there"
command -v openssl >/dev/null || { echo "the part with certificates is left out: there is no openssl"; exit 0; }
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=arena -addext subjectAltName=IP:127.0.0.1 \
  -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
"$python" - "$work" <<'PYTHON' &
import gzip, http.server, os, ssl, sys
class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        said = gzip.compress(b'{"error": {"message": "nobody has paid for this", "code": "insufficient_quota"}}')
        self.send_response(402)
        self.send_header("content-encoding", "gzip")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)
    def log_message(self, *words): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Server)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1] + "/certificate.pem", sys.argv[1] + "/key.pem")
server.socket = context.wrap_socket(server.socket, server_side=True)
with open(sys.argv[1] + "/port.part", "w") as file:
    file.write(str(server.server_port))
os.rename(sys.argv[1] + "/port.part", sys.argv[1] + "/port")
server.serve_forever()
PYTHON
server=$!
for _ in {1..100}; do [[ -s $work/port ]] || sleep 0.1; done
ask() {
  bare "play bargaining --seat buyer=llm --model openai/some" OPENAI_API_KEY=sk-of-a-test-0123456789 \
    OPENAI_BASE_URL="https://127.0.0.1:$(cat "$work/port")/v1" >"$work/log" 2>&1 || true
}
ask
grep -qi certificate "$work/log" || { cat "$work/log"; fail "a certificate of nobody's is taken"; }
cp "$work/certificate.pem" "$root/etc/pki/tls/certs/ca-bundle.crt"
ask
grep -q "nobody has paid for this" "$work/log" || { cat "$work/log"; fail "a model behind TLS"; }

[[ ${3:-} == --debian ]] || exit 0
command -v debootstrap >/dev/null || { echo "skipped: there is no debootstrap here"; exit 4; }
mirror=$(apt-get indextargets --format '$(SITE)' "Origin: Debian" | head -n 1)
[[ -n $mirror ]] || { echo "skipped: /etc/apt names no mirror of Debian"; exit 4; }
for release in bullseye bookworm trixie; do
  tree=$work/$release
  debootstrap --variant=minbase --include=python3 "$release" "$tree" "$mirror" >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log"; echo "skipped: debootstrap cannot make $release here"; exit 4; }
  cp -r "$work/else where/target" "$work/try.sh" "$tree/mnt"
  cp -r "$root/agon" "$tree/mnt/target/agon_arena/tree"
  inside() {
    unshare --mount bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec env -i \
      PATH=/usr/sbin:/usr/bin:/bin HOME=/tmp PYTHONPATH=/mnt/target "${@:2}" chroot "$0" sh -c "$1"' "$tree" "$@" </dev/null
  }
  inside "bash /mnt/try.sh /mnt/target/agon_arena/tree/bin/agon python3" >"$work/log" 2>&1 || { cat "$work/log"; fail "in $release"; }
  [[ $(inside "python3 -m agon_arena bench --signature") == "$signature" ]] || fail "the signature in $release"
  echo "plays in a fresh $release"
done
