import { type SpecData, Validator } from '@seriousme/openapi-schema-validator'

/** Shared, because compiling the validator's schemas takes longer than checking a document. */
const validator = new Validator()

/** Checks a document against the OpenAPI specification. Resolves to the version of the check. */
export async function validateDocument(document: SpecData) {
  const { valid, errors } = await validator.validate(structuredClone(document))
  return { valid, errors, version: validator.version }
}
