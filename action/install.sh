#!/usr/bin/env bash
# Builds the revision this file belongs to, packs it, and unpacks it into the folder that is given, with the packages its lock file
# names and no others. Scripts of packages do not run.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$1

# Other jobs of the same machine may use the folder of the action.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
tar -C "$source" --exclude ./node_modules --exclude ./dist --exclude ./.git -cf - . | tar -C "$work/source" -xf -

cd "$work/source"
npm ci --ignore-scripts --loglevel=error
npm run --silent build
npm pack --silent --ignore-scripts --pack-destination "$work"

rm -rf "$program"
mkdir -p "$program"
tar -C "$program" --strip-components=1 -xzf "$work"/galley-*.tgz
cp package-lock.json .npmrc "$program"
cd "$program"
npm ci --ignore-scripts --omit=dev --loglevel=error
node bin/galley.js --version
