#!/usr/bin/env bash
# JupyterHub: users, groups, tokens, services. Tornado, BSD-3-Clause.
. "$(dirname "$0")/common.sh"
VERSION=6.1.1

version() { echo $VERSION; }
# Its document is in the source alone; its proxy is a package of npm.
install() {
  pip_install jupyterhub==$VERSION
  "$INSTALLED/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$INSTALLED" jupyterhub==$VERSION
  tar xzf "$INSTALLED/jupyterhub-$VERSION.tar.gz" -C "$INSTALLED"
  npm install --no-audit --no-fund --silent --prefix "$INSTALLED" configurable-http-proxy@5.3.0
}
start() {
  local folder
  folder=$(mktemp -d)
  cd "$folder"
  cat >config.py <<CONFIG
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.Authenticator.allowed_users = set()
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.db_url = "sqlite://"
c.JupyterHub.bind_url = "http://127.0.0.1:$(($1 + 1))"
c.JupyterHub.hub_port = $1
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:$(($1 + 2))"
c.ConfigurableHTTPProxy.auth_token = "proxy"
c.ConfigurableHTTPProxy.command = "$INSTALLED/node_modules/.bin/configurable-http-proxy"
c.JupyterHub.services = [{"name": "desk", "api_token": "a-token-of-the-desk"}]
c.JupyterHub.load_roles = [
    {"name": "desk", "services": ["desk"], "scopes": ["admin:users", "admin:groups", "tokens", "read:services", "read:hub", "admin:servers", "list:services", "shares"]}
]
CONFIG
  exec "$INSTALLED/bin/jupyterhub" --config config.py
}
document() { cat "$INSTALLED/jupyterhub-$VERSION/docs/source/_static/rest-api.yml"; }
main "$@"
