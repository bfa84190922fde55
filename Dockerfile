# Build and run: docker build -t flagdouble . && docker run --rm --read-only -p 127.0.0.1:4242:4242 flagdouble
# The build is the same for every architecture, so no command runs on an emulated architecture.
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

# Files have the same paths as in Unleash's image, so its commands and health checks also work here.
FROM node:24-alpine
ENV NODE_ENV=production
WORKDIR /unleash
COPY package.json docker/index.js ./
COPY --from=packages /packages/node_modules node_modules
COPY --from=build /build/dist dist
COPY docker/server.js dist/
COPY --chmod=755 docker/flagdouble /usr/local/bin/
# The user `node`, by its ID, so that a cluster sees that it isn't root.
USER 1000
EXPOSE 4242
# All addresses, IPv4 and IPv6: a container's loopback address is unreachable from outside, and its localhost can be ::1.
ENV FLAGDOUBLE_HOST=:: FLAGDOUBLE_CONTAINER=1
HEALTHCHECK --interval=2s --timeout=3s --start-period=30s --start-interval=200ms CMD ["flagdouble", "health"]
ENTRYPOINT ["flagdouble"]
CMD ["start"]
