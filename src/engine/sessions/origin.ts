import type { Contents } from '../../service/store/database.js'
import type { Start } from './start.js'

interface OriginFields {
  contents?: Contents | undefined
  madeFrom?: Start['hash'] | undefined
  isTouched?: boolean
}

/** The origin of a world's data: its start, and whether the data has changed since. It is replaced, never changed. */
export class Origin {
  /** The start that a restart would use. */
  readonly start: Start
  /** The records with which the world started. Undefined while they are generated, and for saved state. */
  readonly contents: Contents | undefined
  /** The hash of the sources of its data: it differs from its start's if files have changed since. */
  readonly madeFrom: Start['hash']
  /** Whether the data has changed since the start. */
  readonly isTouched: boolean

  constructor(start: Start, { contents, madeFrom = start.hash, isTouched = false }: OriginFields = {}) {
    this.start = start
    this.contents = contents
    this.madeFrom = madeFrom
    this.isTouched = isTouched
  }

  /** Whether the data was changed, and came from other files than a start would use now. */
  get filesChanged(): boolean {
    const { hash } = this.start
    return this.isTouched && this.madeFrom !== hash && this.madeFrom() !== hash()
  }

  touched(): Origin {
    return this.isTouched ? this : new Origin(this.start, { ...this, isTouched: true })
  }

  /** With another start, but the same data. */
  withStart(start: Start): Origin {
    return new Origin(start, this)
  }

  /** As if the data came from the current files. */
  withCurrentFiles(): Origin {
    return new Origin(this.start, { ...this, madeFrom: this.start.hash })
  }
}
