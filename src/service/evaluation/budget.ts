/** Steps that the evaluations of one request may take: a value that is compared is one. */
export const EVALUATION_STEPS = 10_000_000

/** What a step of a regular expression costs. */
export const EXPRESSION_STEP = 10

/** Counts what the evaluations of one request cost. */
export class EvaluationBudget {
  readonly #refuse: (message: string) => never
  #left = EVALUATION_STEPS

  /** `refuse` is called with the reason when nothing is left. */
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
