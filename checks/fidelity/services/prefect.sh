#!/usr/bin/env bash
# Prefect's server: flows, deployments, work pools, variables, tags, concurrency limits. FastAPI, Apache-2.0.
. "$(dirname "$0")/common.sh"
VERSION=3.8.8

version() { echo $VERSION; }
install() { pip_install prefect==$VERSION fastapi==0.139.0; }
start() {
  export PREFECT_HOME=$PWD PREFECT_SERVER_ANALYTICS_ENABLED=false PREFECT_SERVER_REGISTER_BLOCKS_ON_START=false DO_NOT_TRACK=1
  exec "$INSTALLED/bin/prefect" server start --host 127.0.0.1 --port "$1" --no-ui --no-services
}
document() { curl -fsS "http://127.0.0.1:$1/api/openapi.json"; }
main "$@"
