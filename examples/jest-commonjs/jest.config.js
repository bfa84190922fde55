/** The same tests with both compilers, in Node and in jsdom. Your own project needs only one line: the preset. */
module.exports = {
  projects: ['node', 'jsdom'].flatMap((testEnvironment) => [
    { displayName: `Babel in ${testEnvironment}`, preset: 'flagdouble/jest', testEnvironment },
    {
      displayName: `without globals in ${testEnvironment}`,
      preset: 'flagdouble/jest',
      testEnvironment,
      injectGlobals: false,
      testMatch: ['**/imported.test.js'],
    },
    {
      displayName: `SWC in ${testEnvironment}`,
      preset: 'flagdouble/jest',
      testEnvironment,
      transform: { '^.+\\.js$': '@swc/jest' },
    },
  ]),
}
