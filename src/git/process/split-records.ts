// Splits a stream of bytes into records ended by one byte, a list per chunk; linear even when one record spans many chunks.

export async function* splitRecords(chunks: AsyncIterable<Buffer>, end = 0): AsyncGenerator<Buffer[]> {
  let held: Buffer[] = [];
  for await (const chunk of chunks) {
    const records: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(end); at !== -1; at = chunk.indexOf(end, from)) {
      const piece = chunk.subarray(from, at);
      records.push(held.length === 0 ? piece : Buffer.concat([...held, piece]));
      held = [];
      from = at + 1;
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
    if (records.length > 0) yield records;
  }
  if (held.length > 0) yield [Buffer.concat(held)];
}
