import type { DataFault } from '../contract/mock-errors.js'
import { duplicateFaults } from '../resources/shared/rules.js'
import type { AnyTableDefinition, Known } from '../resources/shared/table.js'
import { type KindName, kinds, type TableName } from '../resources/tables.js'
import type { Key } from '../store/table.js'
import type { CompletedRecords } from './load-state.js'
import type { WorldData } from './state.js'
import { danglingReference } from './state-fault.js'

/** Faults after which no more are looked for: a hint at what was meant costs time. */
const MOST_FAULTS = 100

/** Every key that is given twice, everything that points nowhere, and what else the tables find wrong. */
export function findReferenceFaults(records: CompletedRecords, existing: WorldData | undefined): DataFault[] {
  const keys = new Map(Object.entries(records).map(([name, list]) => [name, new Set(keysOf(name, list))]))
  const isKnown = (table: string, key: Key) =>
    keys.get(table)?.has(key) || existingTable(existing, table)?.get(key) !== undefined
  const knownKeys = (table: string) => [
    ...(keys.get(table) ?? []),
    ...keysOf(table, existingTable(existing, table)?.list() ?? []),
  ]
  const faults: DataFault[] = []
  for (const name of Object.keys(kinds)) {
    if (faults.length >= MOST_FAULTS) return faults
    const list = records[name] ?? []
    faults.push(...duplicateFaults(`$.${name}`, keysOf(name, list)))
    const definition = definitionOf(name)
    for (const [i, record] of list.entries()) {
      if (faults.length >= MOST_FAULTS) return faults
      for (const { at, to, key } of definition.references?.(record) ?? []) {
        const path = `$.${name}[${i}].${at}`
        if (!isKnown(to, key)) faults.push(danglingReference(path, definitionOf(to).keyName, key, knownKeys(to)))
      }
      for (const { path, message } of definition.faults?.(record) ?? []) {
        faults.push({ path: `$.${name}[${i}].${path}`, message })
      }
    }
  }
  return faults
}

function definitionOf(name: string): AnyTableDefinition {
  return kinds[name as KindName]
}

function keysOf(name: string, records: readonly object[]): Key[] {
  const { key } = definitionOf(name)
  return records.map((record) => key(record))
}

function existingTable(existing: WorldData | undefined, name: string): Known<object> | undefined {
  return existing?.tables[name as TableName]
}
