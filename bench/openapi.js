/** The OpenAPI document of a mock, as it serves it. */
export async function operationsDocument(mock) {
  const response = await mock.fetch(new Request('http://localhost/docs/openapi.json'))
  return response.json()
}
