import { avatarOf } from '../../service/resources/people/users.js'
import { murmur3 } from '../../support/hash.js'
import { ownFaker } from './own-faker.js'

export interface InventedPerson {
  name: string
  username: string
  email: string
  imageUrl: string
}

/** Invents people: for a seed, the same number is always the same person. Loaded only by dynamic import, as faker is. */
export function createPeople(seed: string): (number: number) => InventedPerson {
  return (number) => {
    const faker = ownFaker(murmur3(`${seed}/${number}`))
    const firstName = faker.person.firstName()
    const lastName = faker.person.lastName()
    const id = number < 0 ? `x${-number}` : String(number)
    const username = `${firstName}.${lastName}.${id}`.toLowerCase().replaceAll(/[^a-z0-9.]/g, '')
    const email = `${username}@example.com`
    return { name: `${firstName} ${lastName}`, username, email, imageUrl: avatarOf(email) }
  }
}
