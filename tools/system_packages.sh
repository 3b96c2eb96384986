#!/usr/bin/env bash
# Makes sure that the system packages of the named groups (build test lint) are there. Installs what is
# missing as root or with sudo -n; else prints the one line to run and stops.
set -euo pipefail

packages=()
for group in "$@"; do
    case "$group" in
        build) packages+=(g++ cmake ninja-build binutils libhwy-dev) ;;
        test) packages+=(libgtest-dev librapidcheck-dev libbenchmark-dev) ;;
        lint) packages+=(clang) ;;
        *) echo "system_packages.sh: unknown group $group" >&2; exit 2 ;;
    esac
done

python="${PYTHON:-python3}"
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    packages+=(python3)
fi
# A distribution's Python keeps venv and the C headers in packages of their own.
if ! "$python" -c 'import ensurepip, os, sysconfig as s
assert os.path.exists(os.path.join(s.get_path("include"), "Python.h"))' 2>/dev/null; then
    packages+=(python3-venv python3-dev)
fi

if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian or Ubuntu system; assuming that these are installed: ${packages[*]}" >&2
    exit 0
fi
missing=()
for package in "${packages[@]}"; do
    status="$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true)"
    [[ "$status" == ii* ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ "$(id -u)" -ne 0 ]]; then
    if ! sudo -n true 2>/dev/null; then
        echo "System packages are missing. Run this once, then make again:" >&2
        echo "  sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo -n)
fi
echo "installing system packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install=("${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}")
"${install[@]}" >/dev/null 2>&1 || { "${as_root[@]}" apt-get update -q && "${install[@]}"; }
