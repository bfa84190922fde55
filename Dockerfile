# Build and run: docker build -t flagdouble . && docker run --rm --read-only -p 127.0.0.1:4242:4242 flagdouble
# What is built is the same for every architecture, so no command runs on an emulated one.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM --platform=$BUILDPLATFORM node:24-slim AS packages
WORKDIR /packages
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

# Node and what it needs: no shell, no package manager.
FROM gcr.io/distroless/nodejs24-debian13:nonroot
ENV NODE_ENV=production
WORKDIR /app
COPY package.json ./
COPY --from=packages /packages/node_modules node_modules
COPY --from=build /build/dist dist
# By its number, so that a cluster sees that it isn't root.
USER 65532
EXPOSE 4242
# The loopback address of a container can't be reached from outside.
ENV FLAGDOUBLE_HOST=0.0.0.0
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["/nodejs/bin/node", "-e", "const { env } = process; const path = (env.FLAGDOUBLE_BASE_PATH || env.BASE_URI_PATH || '').replace(/^\\/*(.*?)\\/*$/, '/$1').replace(/^\\/$/, ''); fetch(`http://127.0.0.1:${env.FLAGDOUBLE_PORT || env.HTTP_PORT || 4242}${path}/__mock/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "dist/cli.js"]
CMD ["start"]
