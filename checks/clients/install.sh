#!/usr/bin/env bash
# Installs the clients: about 250 MB in checks/clients/node_modules. The documents come from checks/public-documents/install.sh.
set -euo pipefail
cd "$(dirname "$0")"
npm ci --ignore-scripts --no-audit --no-fund
