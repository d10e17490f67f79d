# docker build -t standin . && docker run -p 4010:4010 standin
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Install scripts bring nothing that this build needs; the image has its own Node.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts scripts
COPY spec spec
COPY fixtures fixtures
COPY src src
COPY tsconfig.json ./
COPY console console
RUN node scripts/build.ts

FROM node:26-slim
LABEL org.opencontainers.image.title="standin" \
      org.opencontainers.image.description="A stateful mock server: gives any OpenAPI contract a memory, and stands in for a file set search and report schedule service" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="node:26-slim"
WORKDIR /app
COPY package.json LICENSE ./
COPY spec spec
COPY fixtures fixtures
COPY docs docs
# To try: docker run -p 4010:4010 standin --contract examples/shop/contract.yaml
COPY examples/shop examples/shop
COPY --from=build /app/dist dist
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/.compile-cache \
    STANDIN_HOST=0.0.0.0
# One run fills the compile cache, so that containers start without compiling. The flag, which belongs to the cache, keeps a young
# generation of 8 MiB instead of 16: less memory for the same work.
RUN node --max-semi-space-size=8 dist/cli.js check && chmod -R a+rX .compile-cache
# A volume that is mounted here for the first time takes over this owner: docker run -v mine:/data standin --data /data
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 4010
# It takes the port from the flags of process 1, from STANDIN_PORT or from the configuration file.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "/app/dist/cli.js", "health", "--pid", "1"]
# Node takes SIGTERM as process 1, for the command line listens to it. Flags are appended: docker run standin --seed 7
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/dist/cli.js", "serve"]
