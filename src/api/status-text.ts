/** What the statuses of errors mean, for the OpenAPI document. */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or breaks the schema or a rule',
  401: 'Authorization is missing or invalid',
  403: 'The caller lacks the permission that the message names',
  404: 'Something that the path names does not exist',
  405: 'The service does not offer this',
  409: 'The name is taken',
  413: 'The body is too large',
  415: 'The body is not application/json',
  429: 'Too many requests came',
  500: 'The service failed',
  503: 'The service is not available',
}
