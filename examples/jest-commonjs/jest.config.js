/** The same tests with both compilers, in Node and in jsdom. Your own project needs only one line: the preset. */
module.exports = {
  projects: ['node', 'jsdom'].flatMap((testEnvironment) => [
    { displayName: `Babel in ${testEnvironment}`, preset: 'flagdouble/jest', testEnvironment },
    {
      displayName: `SWC in ${testEnvironment}`,
      preset: 'flagdouble/jest',
      testEnvironment,
      transform: { '^.+\\.js$': '@swc/jest' },
    },
  ]),
}
