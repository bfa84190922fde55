/** A list of flags, with a button that copies the first. Shows errors. */
export function createFlagList() {
  const element = document.createElement('section')
  element.innerHTML = '<ul></ul><button>Copy the first</button><p role="status"></p>'
  const [list, button, status] = element.children
  let names = []

  const show = async () => {
    const { features } = await ask('GET', '')
    names = features.map(({ name }) => name)
    list.replaceChildren(...names.map((name) => Object.assign(document.createElement('li'), { textContent: name })))
    if (names.length === 0) status.textContent = 'No flags yet.'
  }
  const attempt = (action) => action().catch((error) => (status.textContent = error.message))

  button.addEventListener('click', () =>
    attempt(async () => {
      await ask('POST', `/${names[0]}/clone`, { name: `${names[0]}-copy` })
      await show()
    }),
  )
  attempt(show)
  return element
}

async function ask(method, path, body) {
  const response = await fetch(`/api/admin/projects/default/features${path}`, {
    method,
    headers: { authorization: '*:*.mock-admin', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}
