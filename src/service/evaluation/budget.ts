/** The maximum steps for the evaluations of one request: comparing a value is one step. */
export const EVALUATION_STEPS = 10_000_000

/** The cost of a step of a regular expression. */
export const EXPRESSION_STEP = 10

/** The characters of a text that are searched in one step. */
export const SEARCHED = 100

/** The characters of an ID that are hashed in one step. */
export const HASHED = 10

/** Counts the cost of one request's evaluations. */
export class EvaluationBudget {
  readonly #refuse: (message: string) => never
  #left = EVALUATION_STEPS

  /** Calls `refuse` with the reason when the budget is used up. */
  constructor(refuse: (message: string) => never) {
    this.#refuse = refuse
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left >= 0) return
    const limit = EVALUATION_STEPS.toLocaleString('en')
    this.#refuse(
      `The evaluation takes more than ${limit} steps. Evaluate fewer features or contexts, ` +
        'or shorten the lists and regular expressions in their strategies.',
    )
  }
}
