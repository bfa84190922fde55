// Not the project's own configuration. The package is not transformed, as it is not where it is installed.
export default { test: { include: ['*.test.js'], server: { deps: { external: [/\/dist\//] } } } }
