#!/usr/bin/env bash
# The to-do service of LoopBack's documentation. LoopBack 4 on Express, MIT.
. "$(dirname "$0")/common.sh"
VERSION=6.0.0

version() { echo $VERSION; }
install() { (cd "$INSTALLED" && { [ -f package.json ] || npm init --yes >/dev/null; } && npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @loopback/example-todo@$VERSION); }
start() {
  mkdir -p data && echo '{"ids":{},"models":{}}' >data/db.json
  HOST=127.0.0.1 PORT=$1 exec node "$INSTALLED/node_modules/@loopback/example-todo/dist/index.js"
}
# The document has the address that it was asked for at: the same with each start.
document() { curl -fsS -H 'Host: localhost:3000' "http://127.0.0.1:$1/openapi.json"; }
main "$@"
