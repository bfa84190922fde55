/** The OpenAPI document that a mock serves. */
export async function operationsDocument(mock) {
  const response = await mock.fetch(new Request('http://localhost/docs/openapi.json'))
  return response.json()
}
