/** A list of the flags that are on, as an SDK gets them. */
export function createSdkList() {
  const list = document.createElement('ul')
  fetch('/api/frontend', { headers: { authorization: '*:development.mock-frontend' } })
    .then((response) => response.json())
    .then(({ toggles }) => {
      const items = toggles.map(({ name }) => Object.assign(document.createElement('li'), { textContent: name }))
      list.replaceChildren(...items)
    })
  return list
}
