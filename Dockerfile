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

# Files lie where Unleash's image has them, so commands and health checks that were written for it work here.
FROM node:24-alpine
ENV NODE_ENV=production
WORKDIR /unleash
COPY package.json docker/index.js ./
COPY --from=packages /packages/node_modules node_modules
COPY --from=build /build/dist dist
COPY docker/server.js dist/
COPY --chmod=755 docker/flagdouble /usr/local/bin/
# The user `node`, by its number, so that a cluster sees that it isn't root.
USER 1000
EXPOSE 4242
# The loopback address of a container can't be reached from outside, and localhost may be ::1 in it: so all addresses, IPv4 and IPv6.
ENV FLAGDOUBLE_HOST=:: FLAGDOUBLE_CONTAINER=1
HEALTHCHECK --interval=2s --timeout=3s --start-period=30s --start-interval=200ms CMD ["flagdouble", "health"]
ENTRYPOINT ["flagdouble"]
CMD ["start"]
