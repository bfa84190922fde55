/** For projects with their own preset, or their own patterns to ignore. */
const { withFlagdouble } = require('flagdouble/jest')

module.exports = withFlagdouble({
  displayName: 'withFlagdouble',
  testEnvironment: 'jsdom',
  transform: { '^.+\\.js$': 'babel-jest' },
  transformIgnorePatterns: ['/node_modules/'],
})
