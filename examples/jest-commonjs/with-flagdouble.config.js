/** For projects with their own preset, or their own patterns to ignore. The reporter prints the flag coverage. */
const { withFlagdouble } = require('flagdouble/jest')

module.exports = withFlagdouble({
  displayName: 'withFlagdouble',
  testEnvironment: 'jsdom',
  reporters: ['default', ['flagdouble/jest/reporter', { outputFile: 'flag-coverage.json' }]],
  transform: { '^.+\\.js$': 'babel-jest' },
  transformIgnorePatterns: ['/node_modules/'],
})
