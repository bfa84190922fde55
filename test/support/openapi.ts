import { type SpecData, Validator } from '@seriousme/openapi-schema-validator'

/** One for all documents: to compile its schemas takes longer than to check a document. */
const validator = new Validator()

/** Checks a document against the specification of OpenAPI. Resolves with the version that it was checked for. */
export async function validateDocument(document: SpecData) {
  const { valid, errors } = await validator.validate(structuredClone(document))
  return { valid, errors, version: validator.version }
}
