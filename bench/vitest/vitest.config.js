// Not the project's own configuration. The package isn't transformed, as in a project that installs it.
export default { test: { include: ['*.test.js'], server: { deps: { external: [/\/dist\//] } } } }
