#!/usr/bin/env bash
# What `npm run check:replicas` needs besides scripts/install-redis.sh to have its histories checked by Porcupine too: the checker is built
# with Go, and its module comes from the Go module proxy.
set -euo pipefail
export PATH="$PATH:/usr/local/go/bin"
cd "$(dirname "$0")/../checks/replicas/porcupine"
if ! command -v go >/dev/null; then
  echo 'SKIPPED: there is no Go, so Porcupine checks nothing. Install Go 1.21 or later.' >&2
  exit 0
fi
go build -o bin/check .
