#!/usr/bin/env bash
# Installs the packages that ship the public documents: about 500 MB in scripts/public-documents/node_modules and …/python.
# With --prism also Prism's own server, for `check.ts --prism`.
set -euo pipefail
cd "$(dirname "$0")"
npm ci --ignore-scripts --no-audit --no-fund
python3 -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target python --requirement requirements.txt
gunzip --keep --force node_modules/kubernetes-client/lib/specs/swagger-1.13.json.gz
if [ "${1:-}" = --prism ]; then
  npm install --prefix prism --ignore-scripts --no-audit --no-fund --no-save @stoplight/prism-cli@5.16.0
fi
