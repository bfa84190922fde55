// Not the project's own configuration.
export default { test: { include: ['*.test.js'] } }
