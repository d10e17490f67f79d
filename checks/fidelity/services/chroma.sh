#!/usr/bin/env bash
# Chroma: tenants, databases, collections of embeddings. Rust with axum, Apache-2.0.
. "$(dirname "$0")/common.sh"
VERSION=1.5.9

version() { echo $VERSION; }
install() { pip_install chromadb==$VERSION; }
start() { exec "$INSTALLED/bin/chroma" run --path "$(mktemp -d)" --host 127.0.0.1 --port "$1"; }
document() { curl -fsS "http://127.0.0.1:$1/openapi.json"; }
main "$@"
