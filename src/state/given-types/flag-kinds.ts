/** A type of feature. Only its id is needed. */
export interface GivenFeatureType {
  /** Its id, such as `release`. */
  id: string
  /** The name to show. Default: the id. */
  name?: string | undefined
  /** What it is for. */
  description?: string | undefined
  /** The days that its features are expected to live; null for no limit. */
  lifetimeDays?: number | null | undefined
}

/** A type of tag. Only its name is needed. */
export interface GivenTagType {
  /** Its name. */
  name: string
  /** What it is for. */
  description?: string | undefined
  /** An icon. Default: null. */
  icon?: string | null | undefined
  /** A colour such as `#FF0000`. Default: null. */
  color?: string | null | undefined
}

/** A mark that a user set. */
export interface GivenFavorite {
  /** The id of the user. */
  userId: number
  /** What is marked. */
  kind: 'feature' | 'project'
  /** The name of the feature, or the id of the project. */
  name: string
}
