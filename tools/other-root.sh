#!/bin/sh
# Unpacks what the engine and its tests link on the other architecture: Debian's own packages,
# fetched with a package state of their own, so that the system's stays as it is and no root is
# needed. Does nothing when it is already there.
# Usage: other-root.sh DEBIAN_ARCHITECTURE FOLDER
set -eu
arch=$1
folder=$2

packages="libcmocka-dev libcmocka0 libmumps-seq-dev libmumps-seq-5.5 libmumps-headers-dev libblas3
    liblapack3 libscotch-7.0 libgfortran5 libbz2-1.0 liblzma5 zlib1g"
case $arch in # those that gfortran's run-time library calls there
amd64) packages="$packages libquadmath0" triplet=x86_64-linux-gnu ;;
arm64) triplet=aarch64-linux-gnu ;;
*)
    echo "other-root: no packages are known for '$arch'" >&2
    exit 2
    ;;
esac

# shellcheck disable=SC2086 # a list of words
stamp=$(echo $arch $packages)
if [ "$(cat "$folder/stamp" 2>/dev/null)" = "$stamp" ]; then exit 0; fi
rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
folder=$(cd "$folder" && pwd)
: >"$folder/apt/status"
cat >"$folder/apt/apt.conf" <<END
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
Dir::State "$folder/apt";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt";
END
APT_CONFIG=$folder/apt/apt.conf
export APT_CONFIG
cd "$folder/apt/archives"
apt-get update -q >&2
# shellcheck disable=SC2086
apt-get download -q $packages >&2
for package in *.deb; do dpkg -x "$package" "$folder"; done

# What the packages' own scripts would have done: reference BLAS and LAPACK under their plain names.
cd "$folder/usr/lib/$triplet"
for name in blas lapack; do
    ln -sf $name/lib$name.so.3 lib$name.so.3
    ln -sf $name/lib$name.so.3 lib$name.so
done
if [ -d "$folder/lib/$triplet" ]; then cp -a "$folder/lib/$triplet"/*.so* .; fi
rm -rf "$folder/apt"
echo "$stamp" >"$folder/stamp"
