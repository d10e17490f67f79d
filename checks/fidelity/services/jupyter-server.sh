#!/usr/bin/env bash
# Jupyter Server: contents with checkpoints, sessions, kernels, terminals. Tornado, BSD-3-Clause.
. "$(dirname "$0")/common.sh"
VERSION=2.21.1

version() { echo $VERSION; }
install() { pip_install jupyter_server==$VERSION ipykernel==7.1.0; }
start() {
  mkdir -p work
  # Settings, kernels and keys of whoever runs this are not looked at.
  export HOME=$PWD JUPYTER_CONFIG_DIR=$PWD/config JUPYTER_DATA_DIR=$PWD/data JUPYTER_RUNTIME_DIR=$PWD/runtime IPYTHONDIR=$PWD/ipython
  export JUPYTER_PREFER_ENV_PATH=1 JUPYTER_PATH= JUPYTER_CONFIG_PATH= SHELL=/bin/sh TZ=UTC
  exec "$INSTALLED/bin/jupyter-server" --allow-root --no-browser --IdentityProvider.token=fidelity --ServerApp.ip=127.0.0.1 --ServerApp.port="$1" \
    --ServerApp.port_retries=0 --ServerApp.root_dir="$PWD/work" --KernelSpecManager.allowed_kernelspecs=python3
}
document() { cat "$INSTALLED"/lib/python3*/site-packages/jupyter_server/services/api/api.yaml; }
main "$@"
