/** The same with ts-jest, here for JavaScript files. */
const { withFlagdouble } = require('flagdouble/jest')

module.exports = withFlagdouble({
  displayName: 'ts-jest',
  preset: 'ts-jest/presets/js-with-ts',
})
