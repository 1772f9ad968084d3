#!/bin/sh
# Packages for Teasel on Debian 12.
#
#     ./bootstrap.sh          what `make` and `make check` need
#     ./bootstrap.sh lint     and what `make lint` needs
#     ./bootstrap.sh asan     and what `make asan` and `make cov` need
#     ./bootstrap.sh bench    and what `make bench` needs
#     ./bootstrap.sh long     and what `make check-long` needs
#     ./bootstrap.sh --list [GROUP...]    prints the packages and installs nothing
#
# Installs only what is missing, with apt, as root or through sudo.  With neither
# it prints the list and stops.  Quiet when there is nothing to do.
set -eu

packages="clang-19 libclang-rt-19-dev llvm-19 llvm-19-dev gcc libc6-dev binutils make meson ninja-build pkg-config
libdw-dev libelf-dev libjansson-dev libxxhash-dev libz3-dev gdb
libcmocka-dev z3 cmake autoconf automake python3 perl procps"

list=
for group in "$@"; do
    case $group in
    --list) list=1 ;;
    lint) packages="$packages git clang-format clang-tidy cppcheck shellcheck" ;;
    asan) ;; # all of it is in the list above
    bench) packages="$packages valgrind xz-utils" ;;
    long) packages="$packages qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross" ;;
    *)
        echo "bootstrap.sh: unknown group '$group' (known: lint, asan, bench, long)" >&2
        exit 2
        ;;
    esac
done

if [ -n "$list" ]; then
    # shellcheck disable=SC2086
    printf '%s\n' $packages
    exit
fi

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "bootstrap.sh: this is not a Debian system; install the counterparts of:" >&2
    # shellcheck disable=SC2086
    echo " " $packages >&2
    echo "bootstrap.sh: then run make with BOOTSTRAP=no" >&2
    exit 1
fi

# One query for all of them; `ii` and `hi` are installed.
# shellcheck disable=SC2086
present=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' $packages 2>/dev/null |
    sed -n 's/^[ih]i *//p') || true
missing=
for package in $packages; do
    case "
$present
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root="env"
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root="sudo env"
else
    echo "bootstrap.sh: these packages are missing, and this is neither root nor a sudo user:" >&2
    echo "   $missing" >&2
    echo "bootstrap.sh: ask for: apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

echo "bootstrap.sh: installing$missing"
install_missing() {
    # shellcheck disable=SC2086
    $as_root DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq -y --no-install-recommends $missing </dev/null
}

# The package lists of a fresh system may be empty or old: then, and only then, fetch them.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! install_missing >"$log" 2>&1; then
    if ! $as_root apt-get update -qq >>"$log" 2>&1 || ! install_missing >>"$log" 2>&1; then
        cat "$log" >&2
        echo "bootstrap.sh: apt could not install:$missing" >&2
        exit 1
    fi
fi
