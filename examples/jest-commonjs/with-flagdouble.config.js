/** For those who have a preset, or patterns to ignore, of their own. */
const { withFlagdouble } = require('flagdouble/jest')

module.exports = withFlagdouble({
  displayName: 'withFlagdouble',
  testEnvironment: 'jsdom',
  transform: { '^.+\\.js$': 'babel-jest' },
  transformIgnorePatterns: ['/node_modules/'],
})
