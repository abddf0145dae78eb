// The context of a writing task: constraints, a character, the text at the cursor; the same prefix while they stay the same.
import assert from 'node:assert/strict';
import { createGalley } from 'galley';

const galley = createGalley({ store: ':memory:' });
const projectId = 'novel';
try {
  await galley.call('constraints:create', { projectId, kind: 'style', text: '不使用感叹号' });
  await galley.call('entities:put', {
    projectId,
    name: '林远',
    aliases: ['阿远'],
    description: '守夜人，左手有旧伤。',
  });
  const text = '雨停了。阿远推开门，院子里很安静。';
  await galley.call('documents:put', { projectId, documentId: 'one', title: '第一章', text });

  const request = { projectId, documentId: 'one', skillId: 'continue', cursorPosition: [...text].length };
  const first = await galley.call('context:assemble', request);
  const longer = `${text}他听见脚步声。`;
  const second = await galley.call('context:assemble', {
    ...request,
    text: longer,
    cursorPosition: [...longer].length,
  });
  console.log(
    `${first.tokenCount}, then ${second.tokenCount} tokens; prefix unchanged: ${second.stablePrefixUnchanged}`,
  );
  assert.match(first.prompt, /不使用感叹号/);
  assert.match(first.prompt, /守夜人/);
  assert.equal(second.stablePrefixUnchanged, true);

  const { findings } = await galley.call('constraints:judge', { projectId, text: '他笑了！' });
  console.log(`the judge found ${findings.length}: ${findings.map(({ evidence }) => evidence).join(' ')}`);
  assert.equal(findings.length, 1);
} finally {
  await galley.close();
}
