import { describe, expect, it } from 'vitest';
import { outline } from './outline.js';

async function tree(path: string, text: string): Promise<string[]> {
  const { symbols } = await outline(path, text);
  return symbols.map(
    ({ name, kind, exported, startLine, endLine, signatureEndLine, parent }) =>
      `${parent ?? '-'} ${kind}${exported ? '+' : ''} ${name} ${startLine}-${signatureEndLine}-${endLine}`,
  );
}

const dart = `import 'dart:async';
import 'adapter.dart';

typedef Handler = void Function(int code);

const retries = 3;

/// Fetches things.
class Client extends Base implements Closable {
  Client(this.adapter, {this.limit = 3})
      : _open = true {
    start();
  }

  final Adapter adapter;
  final Map<String, String> _headers = {
    accept('json'): 'x',
  };

  bool get isOpen => _open;

  @override
  Future<Response<T>> fetch<T>(
    String path, {
    Duration? timeout,
  }) async {
    final done = Completer<void>();
    if (path.isEmpty) {
      throw ArgumentError('fetch(');
    }
    return await adapter.send<T>(path);
  }

  final bool Function(Object error) check;

  void _close() {
    print('closed');
  }
}

enum Mode { fast, slow }

extension Words on String {
  int count() => split(' ').length;
}

void main() {
  run(Client(adapter));
}
`;

const lua = `local util = require("app.util")
local M = {}

M.version = "1.0"

---@param node Node
local function keep(node)
  if node then
    return true
  else
    return false
  end
end

function M.show(opts)
  local inner = function()
    print("x")
  end
  keep(inner)
end

function M:hide()
  M.show({})
end

return M
`;

const elixir = `defmodule App.Store do
  @moduledoc """
  def not_code(x) do
  """
  alias App.Repo

  @type key :: String.t()

  @doc "Finds one."
  @spec get(key) ::
          map | nil
  def get(key) when is_binary(key) do
    case find(key) do
      nil -> raise ArgumentError
      row -> row
    end
  rescue
    e -> reraise e, __STACKTRACE__
  end

  def empty?(), do: find("") == nil

  defp find(key) do
    Repo.get(Row, key)
  end
end
`;

describe('languages told by rules', () => {
  it('finds what Dart declares, heads over several lines included', async () => {
    expect(await tree('client.dart', dart)).toEqual([
      '- type+ Handler 4-4-4',
      '- variable+ retries 6-6-6',
      '- class+ Client 9-9-39',
      '2 method+ Client 10-10-13',
      '2 field+ adapter 15-15-15',
      '2 field _headers 16-16-18',
      '2 method+ isOpen 20-20-20',
      '2 method+ fetch 22-26-32',
      '2 field+ check 34-34-34',
      '2 method _close 36-36-38',
      '- enum+ Mode 41-41-41',
      '- class+ Words 43-43-45',
      '11 method+ count 44-44-44',
      '- function+ main 47-47-49',
    ]);
  });

  it('finds what Lua declares by the name others call it', async () => {
    expect(await tree('view.lua', lua)).toEqual([
      '- variable util 1-1-1',
      '- variable M 2-2-2',
      '- variable+ version 4-4-4',
      '- function keep 7-7-13',
      '- method+ show 15-15-20',
      '- method+ hide 22-22-24',
    ]);
  });

  it('reads Lua functions inside tables, and is not led astray by strings that begin lines', async () => {
    const text =
      'local Job = setmetatable({\n  start = function(self)\n    say([[\nEnd of it\n]])\n    self.on = function(a)\n    end\n  end,\n}, {})\n';
    expect(await tree('job.lua', text)).toEqual(['- variable Job 1-1-9', '0 function start 2-2-8']);
  });

  it('finds what Elixir declares, its attributes with it', async () => {
    expect(await tree('store.ex', elixir)).toEqual([
      '- module+ App.Store 1-1-26',
      '0 type+ key 7-7-7',
      '0 method+ get 9-12-19',
      '0 method+ empty? 21-21-21',
      '0 function find 23-23-25',
    ]);
  });

  it.each([
    ['client.dart', dart, { name: 'run', line: 48, role: 'call' }, 'fetch', [23]],
    ['view.lua', lua, { name: 'keep', line: 19, role: 'call' }, 'x', []],
    ['store.ex', elixir, { name: 'find', line: 13, role: 'call' }, 'not_code', []],
  ])('knows who calls what in %s, outside comments and strings', async (path, text, use, word, lines) => {
    const { uses } = await outline(path, text, { uses: true });
    expect(uses).toContainEqual(use);
    expect(uses.filter(({ name }) => name === word).map(({ line }) => line)).toEqual(lines);
  });

  it.each([
    ['client.dart', dart, 'import 1, import 2, concurrency 27, error-handling 29, logging 37'],
    ['view.lua', lua, 'import 1, logging 17'],
    ['store.ex', elixir, 'import 5, error-handling 14, error-handling 17, error-handling 18, data-access 24'],
  ])('knows what lines of %s are for', async (path, text, roles) => {
    const found = await outline(path, text, { roles: true });
    const said = found.roles.map(({ role, startLine }) => `${role} ${startLine}`);
    expect(said.join(', ')).toBe(roles);
  });
});
