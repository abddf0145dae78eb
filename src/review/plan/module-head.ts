// The head of a module: what says to which package a file belongs, which modules it holds, what it lets out and for whom it is
// compiled. Nothing of it runs.
import { isImported } from '../../code/range-evidence.js';
import { lineKind } from '../../code/syntax/outline-model.js';
import { type FileSide, languageOf } from '../units/changed-file.js';
import type { ReviewUnit } from '../units/unit.js';

/** Every changed line that says something belongs to the head. */
export function isModuleHead({ file, lines }: ReviewUnit): boolean {
  const spoken = lines.filter(({ kind, number }) => {
    const side = kind === 'added' ? file.after : file.before;
    return side !== undefined && side.outline.lineKinds[number - 1] === lineKind.code;
  });
  return (
    spoken.length > 0 &&
    !importsForEffect({ file, lines }) &&
    spoken.every(({ kind, number }) => {
      const side = kind === 'added' ? file.after : file.before;
      return side !== undefined && isHeadLine(side, number);
    })
  );
}

const clause =
  /^\s*(?:(?:export\s+|pub(?:\([\w: ]+\))?\s+|declare\s+|inline\s+|file-?scoped\s+)*(?:package|namespace|module|mod|library|part of|defmodule)\s+[\w.:\\'"@/-]+\s*(?:[;{]|do)?\s*\}?|extern\s+"C(?:\+\+)?"\s*\{|\}[\s;]*|#\s*(?:if|ifdef|ifndef|elif|elseif|else|endif|pragma)\b.*|#(?:region|endregion)\b.*)\s*(?:\/\/.*|\/\*.*\*\/\s*)?$/;
const attribute = /^\s*#!?\[.*\]\s*$/;

function isHeadLine(side: FileSide, number: number): boolean {
  const text = (side.lines[number - 1] ?? '').replace(/^\uFEFF/, '');
  if (clause.test(text) || isImported(side.outline, number)) return true;
  if (/(?:^|\/)module-info\.java$/.test(side.path)) return true;
  // What is said of the line below belongs to it.
  if (attribute.test(text)) return /^\s*#!/.test(text) || isHeadLine(side, number + 1);
  return isListedForOthers(side, number);
}

const opensList = /^\s*(?:export\s+(?:type\s+)?\{|__all__\s*\+?=\s*[[(]|module\.exports\s*=\s*\{)/;
const listed =
  /^\s*(?:(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?|["'][\w$]+["'])(?:\s*,\s*(?:[\w$]+|["'][\w$]+["']))*\s*,?\s*$/;
const wholeList =
  /^\s*(?:export\s+(?:type\s+)?\{[^{}()=:]*\}.*|__all__\s*\+?=\s*[[(][^()=]*[\])]|module\.exports\s*=\s*\{[^{}()=:]*\})\s*;?\s*$/;
const farthest = 500;

/** In a list of names and nothing else that others may use. */
function isListedForOthers({ lines }: FileSide, number: number): boolean {
  const text = lines[number - 1] ?? '';
  if (wholeList.test(text)) return true;
  if (!listed.test(text) && !opensList.test(text) && !/^\s*[}\])];?\s*$/.test(text)) return false;
  for (let at = number - 1; at >= 0 && number - at < farthest; at -= 1) {
    const line = lines[at] ?? '';
    if (opensList.test(line)) return true;
    if (at < number - 1 && !listed.test(line) && !/^\s*(?:(?:\/\/|#).*)?$/.test(line)) return false;
  }
  return false;
}

const forEffect =
  /^\s*import\s+(['"])(?!.*\.(?:css|scss|sass|less|styl|svg|png)\1)[^'"]+\1|^\s*require\s*\(\s*['"][^'"]+['"]\s*\)\s*;?\s*$/;

const forEffectInGo = /^\s*(?:import\s+)?_\s+"[^"]+"/;

/** Where such a line is how anything is imported. */
const plainlyImported = new Set(['ruby', 'dart']);

/** What is imported for nothing but what it does when it is loaded. */
export function importsForEffect({ lines, file }: Pick<ReviewUnit, 'file' | 'lines'>): boolean {
  const language = languageOf(file);
  const pattern = language === 'go' ? forEffectInGo : forEffect;
  return !plainlyImported.has(language) && lines.some(({ text }) => pattern.test(text));
}
