// What may be stored, and how a row is taken away. No engine keeps NUL or half a surrogate pair faithfully, so both are refused
// by field name.

import { sql, type Transaction } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import type { Schema } from './schema.js';

function invalid(field: string, problem: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `${field} ${problem}.`, { details: { field } });
}

export function checkedText(field: string, text: string): string {
  if (typeof text !== 'string') throw invalid(field, 'must be text');
  if (text.includes('\0')) throw invalid(field, 'holds a NUL character; remove it');
  if (!text.isWellFormed()) throw invalid(field, 'holds half a surrogate pair; repair the text');
  return text;
}

export function checkedName(field: string, name: string): string {
  if (checkedText(field, name) === '') throw invalid(field, 'must not be empty');
  return name;
}

export function checkedInteger(field: string, value: number): number {
  if (!Number.isSafeInteger(value)) throw invalid(field, 'must be a whole number');
  return value;
}

export function checkedNumber(field: string, value: number): number {
  if (!Number.isFinite(value)) throw invalid(field, 'must be a finite number');
  return value;
}

export function checkedFraction(field: string, value: number): number {
  if (!(value >= 0 && value <= 1)) throw invalid(field, 'must lie between 0 and 1');
  return value;
}

export function checkedLimit(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw invalid('limit', 'must be a whole number from 0 on');
  return value;
}

export function checkedJson(field: string, value: unknown): string {
  const json = JSON.stringify(value);
  if (json === undefined) throw invalid(field, 'must be JSON');
  return json;
}

export function notFound(kind: string): GalleyError {
  return new GalleyError('NOT_FOUND', `No such ${kind} in this project; list them to see what there is.`, {
    details: { kind },
  });
}

export function alreadyExists(kind: string, field: string): GalleyError {
  return new GalleyError(
    'ALREADY_EXISTS',
    `This ${field} belongs to another ${kind}; choose another ${field}.`,
    {
      details: { kind, field },
    },
  );
}

/** Takes one row of a project away; a foreign or unknown key changes nothing and is NOT_FOUND. */
export async function removeOne(
  db: Transaction<Schema>,
  from: { readonly table: keyof Schema; readonly kind: string },
  key: Readonly<Record<string, string>>,
): Promise<void> {
  const conditions = Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { rows } =
    await sql`delete from ${sql.table(from.table)} where ${sql.join(conditions, sql` and `)} returning 1`.execute(
      db,
    );
  if (rows.length === 0) throw notFound(from.kind);
}
