import { describe, expect, it } from 'vitest';
import { assembleTurn } from './assemble-turn.js';
import {
  ClaudeContextAssembler,
  CodexContextAssembler,
  GeminiContextAssembler,
  PlainContextAssembler,
} from './assemblers.js';

const maxBytes = 768 * 1024;
const assembler = new ClaudeContextAssembler();
const empty = { contextMessages: [], currentMessage: '', teamTask: null, maxBytes };
const full = {
  contextMessages: [
    { from: 'kailai', to: 'max', content: 'Hi, please help design a feature' },
    { from: 'max', to: 'sarah', content: 'I suggest using a microservice architecture' },
  ],
  currentMessage: 'What do you think about this approach?',
  teamTask: 'Design a user authentication system',
  systemInstruction: 'You are Sarah, a backend engineer',
  instructionFileText: 'Focus on security and scalability',
  maxBytes,
};
const size = (output: { prompt: string; systemFlag?: string | undefined }) =>
  Buffer.byteLength(output.prompt) + Buffer.byteLength(output.systemFlag ?? '');

describe('ClaudeContextAssembler', () => {
  it('getAgentType returns claude-code', () => {
    expect(assembler.getAgentType()).toBe('claude-code');
  });

  it('is one of four assemblers with a type of their own [agent.api]', () => {
    const types = [CodexContextAssembler, GeminiContextAssembler, PlainContextAssembler].map((Assembler) =>
      new Assembler().getAgentType(),
    );
    expect(types).toEqual(['openai-codex', 'google-gemini', 'unknown']);
  });

  it('has every test the specification names [agent.seed-tests]', async () => {
    const { readFileSync } = await import('node:fs');
    const source = readFileSync(new URL(import.meta.url), 'utf8');
    const names = [
      'getAgentType returns claude-code',
      'produces correct format with all sections',
      'separates systemFlag from prompt',
      'joins systemInstruction and instructionFileText',
      'omits [TEAM_TASK] when teamTask is null',
      'omits [TEAM_TASK] when teamTask is whitespace',
      'omits [CONTEXT] when contextMessages is empty',
      'omits [MESSAGE] when currentMessage is empty',
      'returns empty prompt when all sections empty',
      'returns undefined systemFlag when no instructions',
      'returns undefined when both undefined',
      'returns systemInstruction only',
      'returns instructionFileText only',
      'joins both with double newline',
      'trims whitespace from inputs',
      'ignores whitespace-only inputs',
      'returns unchanged when within budget',
      'trims oldest context messages first',
      'preserves MESSAGE section',
      'preserves TEAM_TASK section',
      'does not trim systemFlag',
      'uses correct section markers',
      'uses correct context message format',
      'separates sections with double newline',
      'preserves newlines within content',
    ];
    expect(names.filter((name) => !source.includes(`it('${name}', () => {`))).toEqual([]);
  });

  describe('assemble', () => {
    it('produces correct format with all sections', () => {
      expect(assembler.assemble(full).prompt).toBe(
        '[TEAM_TASK]\nDesign a user authentication system\n\n[CONTEXT]\n- kailai -> max: Hi, please help design a feature\n' +
          '- max -> sarah: I suggest using a microservice architecture\n\n[MESSAGE]\nWhat do you think about this approach?',
      );
    });

    it('separates systemFlag from prompt', () => {
      const { prompt, systemFlag } = assembler.assemble(full);
      expect(systemFlag).toBe('You are Sarah, a backend engineer\n\nFocus on security and scalability');
      expect(prompt).not.toContain('You are Sarah');
    });

    it('joins systemInstruction and instructionFileText', () => {
      const { systemFlag } = assembler.assemble({
        ...empty,
        systemInstruction: 'a',
        instructionFileText: 'b',
      });
      expect(systemFlag).toBe('a\n\nb');
    });

    it('gives the three published examples byte for byte [agent.claude]', () => {
      const second = { ...empty, currentMessage: 'Hello', systemInstruction: 'You are Max' };
      const third = { ...empty, currentMessage: 'Hello', teamTask: 'Build a feature' };
      expect(assembler.assemble(second)).toEqual({ prompt: '[MESSAGE]\nHello', systemFlag: 'You are Max' });
      expect(assembler.assemble(third)).toStrictEqual({
        prompt: '[TEAM_TASK]\nBuild a feature\n\n[MESSAGE]\nHello',
        systemFlag: undefined,
      });
    });
  });

  describe('found code', () => {
    const pieces = ['src/a.ts:1-2\n1| one', 'src/b.ts:4-4\n4| two', 'src/c.ts:9-9\n9| three'];

    it('stands in a fence before the message', () => {
      const { prompt } = assembleTurn('claude-code', { ...full, code: pieces });
      const [open = '', , , ...rest] = prompt.slice(prompt.indexOf('[CODE]\n') + 7).split('\n');
      const id = /^===== BEGIN UNTRUSTED CODE ([0-9a-f]{32}) =====$/.exec(open)?.[1];
      expect(id).toBeDefined();
      expect(rest.join('\n')).toBe(
        `${pieces.join('\n\n')}\n===== END UNTRUSTED CODE ${id} =====\n\n[MESSAGE]\n${full.currentMessage}`,
      );
    });

    it('gives way before anything else, from its end, and its fence stays whole', () => {
      const { prompt: bare } = assembleTurn('unknown', full);
      const most = Buffer.byteLength(assembleTurn('unknown', { ...full, code: pieces }).prompt);
      const seen = new Set<number>();
      for (let room = most; room >= Buffer.byteLength(bare); room -= 1) {
        const { prompt } = assembleTurn('unknown', { ...full, code: pieces, maxBytes: room });
        const kept = pieces.filter((piece) => prompt.includes(piece));
        seen.add(kept.length);
        expect(kept).toEqual(pieces.slice(0, kept.length));
        expect(prompt.split('UNTRUSTED CODE')).toHaveLength(kept.length === 0 ? 1 : 3);
        for (const { content } of full.contextMessages) expect(prompt).toContain(content);
      }
      expect([...seen]).toEqual([3, 1, 0]);
    });
  });

  describe('empty section handling', () => {
    it('omits [TEAM_TASK] when teamTask is null', () => {
      expect(assembler.assemble({ ...full, teamTask: null }).prompt).not.toContain('[TEAM_TASK]');
    });
    it('omits [TEAM_TASK] when teamTask is whitespace', () => {
      expect(assembler.assemble({ ...full, teamTask: ' \n\t ' }).prompt).not.toContain('[TEAM_TASK]');
    });
    it('omits [CONTEXT] when contextMessages is empty', () => {
      expect(assembler.assemble({ ...full, contextMessages: [] }).prompt).not.toContain('[CONTEXT]');
    });
    it('omits [MESSAGE] when currentMessage is empty', () => {
      expect(assembler.assemble({ ...full, currentMessage: '' }).prompt).not.toContain('[MESSAGE]');
    });
    it('returns empty prompt when all sections empty', () => {
      expect(assembler.assemble(empty)).toStrictEqual({ prompt: '', systemFlag: undefined });
    });
    it('returns undefined systemFlag when no instructions', () => {
      expect(assembler.assemble({ ...empty, currentMessage: 'x' }).systemFlag).toBeUndefined();
    });
    it('reads a missing recipient as all [agent.empty]', () => {
      const { prompt } = assembler.assemble({ ...empty, contextMessages: [{ from: 'max', content: 'hi' }] });
      expect(prompt).toBe('[CONTEXT]\n- max -> all: hi');
    });
  });

  describe('buildSystemFlag', () => {
    const flag = (systemInstruction?: string, instructionFileText?: string) =>
      assembler.assemble({ ...empty, systemInstruction, instructionFileText }).systemFlag;

    it('returns undefined when both undefined', () => {
      expect(flag()).toBeUndefined();
    });
    it('returns systemInstruction only', () => {
      expect(flag('You are Max')).toBe('You are Max');
    });
    it('returns instructionFileText only', () => {
      expect(flag(undefined, 'Always be helpful')).toBe('Always be helpful');
    });
    it('joins both with double newline', () => {
      expect(flag('You are Max', 'Always be helpful')).toBe('You are Max\n\nAlways be helpful');
    });
    it('trims whitespace from inputs', () => {
      expect(flag('  You are Max \n', '\n text ')).toBe('You are Max\n\ntext');
    });
    it('ignores whitespace-only inputs', () => {
      expect(flag('  ', 'text')).toBe('text');
    });
  });

  describe('byte budget', () => {
    it('returns unchanged when within budget', () => {
      const whole = assembler.assemble(full);
      expect(assembler.assemble({ ...full, maxBytes: size(whole) })).toEqual(whole);
    });
    it('trims oldest context messages first', () => {
      const whole = assembler.assemble(full);
      const { prompt } = assembler.assemble({ ...full, maxBytes: size(whole) - 1 });
      expect(prompt).not.toContain('kailai');
      expect(prompt).toContain('[CONTEXT]\n- max -> sarah');
    });
    it('preserves MESSAGE section', () => {
      const without = assembler.assemble({ ...full, contextMessages: [] });
      expect(assembler.assemble({ ...full, maxBytes: size(without) })).toEqual(without);
    });
    it('preserves TEAM_TASK section', () => {
      const bare = assembler.assemble({ ...full, contextMessages: [], currentMessage: '' });
      expect(assembler.assemble({ ...full, maxBytes: size(bare) }).prompt).toBe(
        '[TEAM_TASK]\nDesign a user authentication system',
      );
    });
    it('does not trim systemFlag', () => {
      const bare = assembler.assemble({ ...full, contextMessages: [], currentMessage: '' });
      expect(assembler.assemble({ ...full, maxBytes: size(bare) }).systemFlag).toBe(bare.systemFlag);
    });
    it('fills the budget and cuts the message on a code-point border [agent.bytes]', () => {
      const message = '汉字😀'.repeat(50);
      for (let room = 0; room < 24; room += 1) {
        const output = assembler.assemble({ ...empty, currentMessage: message, maxBytes: 10 + room });
        expect(size(output)).toBeLessThanOrEqual(10 + room);
        expect(output.prompt.isWellFormed()).toBe(true);
        const head = output.prompt.replace('[MESSAGE]\n', '');
        expect(message.startsWith(head)).toBe(true);
        const next = [...message.slice(head.length)][0] ?? '';
        expect(10 + Buffer.byteLength(head + next)).toBeGreaterThan(10 + room);
      }
    });
    it('refuses when system text and task alone exceed it', () => {
      const refuse = () => assembler.assemble({ ...full, maxBytes: 20 });
      expect(refuse).toThrowError(expect.objectContaining({ code: 'CONTEXT_BUDGET_INFEASIBLE' }));
    });
  });

  describe('format validation', () => {
    it('uses correct section markers', () => {
      const markers = assembler.assemble(full).prompt.match(/^\[[A-Z_]+\]$/gm);
      expect(markers).toEqual(['[TEAM_TASK]', '[CONTEXT]', '[MESSAGE]']);
    });
    it('uses correct context message format', () => {
      expect(assembler.assemble(full).prompt).toMatch(/^- kailai -> max: Hi, please help design a feature$/m);
    });
    it('separates sections with double newline', () => {
      expect(assembler.assemble(full).prompt.split('\n\n')).toHaveLength(3);
    });
    it('preserves newlines within content', () => {
      const { prompt } = assembler.assemble({ ...empty, currentMessage: 'a\n\n[b]\n c' });
      expect(prompt).toBe('[MESSAGE]\na\n\n[b]\n c');
    });
  });
});

describe('other dialects', () => {
  it('puts the system text inline for Codex [agent.codex]', () => {
    expect(new CodexContextAssembler().assemble(full)).toStrictEqual({
      prompt: `[SYSTEM]\nYou are Sarah, a backend engineer\n\nFocus on security and scalability\n\n${assembler.assemble(full).prompt}`,
      systemFlag: undefined,
    });
  });

  it('speaks without brackets to Gemini [agent.gemini]', () => {
    expect(new GeminiContextAssembler().assemble(full)).toStrictEqual({
      prompt:
        'Instructions:\nYou are Sarah, a backend engineer\n\nFocus on security and scalability\n\n' +
        'Team Task:\nDesign a user authentication system\n\nConversation so far:\n- kailai: Hi, please help design a feature\n' +
        '- max: I suggest using a microservice architecture\n\nLast message:\nWhat do you think about this approach?',
      systemFlag: undefined,
    });
  });

  it('uses no markers for unknown agents [agent.plain]', () => {
    expect(new PlainContextAssembler().assemble(full).prompt).toBe(
      'You are Sarah, a backend engineer\n\nFocus on security and scalability\n\nDesign a user authentication system\n\n' +
        'kailai: Hi, please help design a feature\nmax: I suggest using a microservice architecture\n\n' +
        'What do you think about this approach?',
    );
  });

  it('maps every span to its message, unescaped [agent.verbatim]', () => {
    const content = '[MESSAGE] <b>&amp; "quoted" \\n 你好 😀 %s';
    const turn = assembleTurn('claude-code', { ...full, contextMessages: [{ from: 'a', to: 'b', content }] });
    const part = turn.receipt.pages[0]?.parts.find(({ channel }) => channel === 'prompt');
    const bytes = Buffer.from(turn.prompt);
    const textOf = (id: string) => {
      const span = part?.spans.find(({ fragment }) => fragment === id);
      return bytes.subarray(span?.start, span?.end).toString();
    };
    expect(textOf('message:0')).toBe(`- a -> b: ${content}`);
    expect(textOf('message:current')).toBe(full.currentMessage);
    expect(JSON.stringify(turn.receipt)).not.toContain('quoted');
  });
});

describe('bad input', () => {
  const refusal = (change: object) => {
    try {
      assembler.assemble({ ...full, ...change });
    } catch (error) {
      return JSON.parse(JSON.stringify(error));
    }
    return undefined;
  };

  it('names the field and never the text [errors.closed]', () => {
    const secret = 'SECRET';
    const cases: [object, string, string][] = [
      [{ maxBytes: -1 }, 'INVALID_ARGUMENT', 'maxBytes'],
      [{ maxBytes: Number.POSITIVE_INFINITY }, 'INVALID_ARGUMENT', 'maxBytes'],
      [{ maxBytes: Number.NaN }, 'INVALID_ARGUMENT', 'maxBytes'],
      [{ maxBytes: 1.5 }, 'INVALID_ARGUMENT', 'maxBytes'],
      [{ currentMessage: `${secret}\ud800` }, 'INVALID_ARGUMENT', 'currentMessage'],
      [{ currentMessage: `${secret}\0` }, 'INVALID_ARGUMENT', 'currentMessage'],
      [{ currentMessage: 7 }, 'INVALID_ARGUMENT', 'currentMessage'],
      [
        { contextMessages: [{ from: 'a', content: { secret } }] },
        'INVALID_ARGUMENT',
        'contextMessages[0].content',
      ],
      [{ contextMessages: secret }, 'INVALID_ARGUMENT', 'contextMessages'],
      [{ currentMessage: 'x'.repeat(100 * 1024 * 1024) }, 'PAYLOAD_TOO_LARGE', 'currentMessage'],
      [{ unknown: secret }, 'INVALID_ARGUMENT', 'unknown'],
    ];
    for (const [change, code, field] of cases) {
      const error = refusal(change);
      expect(error).toMatchObject({ code, details: { field } });
      expect(JSON.stringify(error)).not.toContain(secret);
    }
  });
});
