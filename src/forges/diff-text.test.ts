import { expect, it } from 'vitest';
import { readDiffTexts, stillStands } from './diff-text.js';

const diff = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@ heading
 same
--- old
+++ new
 end
\\ No newline at end of file
diff --git "a/\\303\\244 \\"q\\".txt" "b/\\303\\244 \\"q\\".txt"
new file mode 100644
--- /dev/null
+++ "b/\\303\\244 \\"q\\".txt"
@@ -0,0 +1 @@
+only
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-was
`;
const stands = (path: string, side: 'old' | 'new', hunk: string) =>
  stillStands(readDiffTexts(diff), { path, side, hunk });

it('knows the lines of each side, whatever they look like', () => {
  expect(stands('a.txt', 'old', '@@ -1 +1 @@\n same\n--- old')).toBe(true);
  expect(stands('a.txt', 'new', '@@ -1 +1 @@\n+++ new')).toBe(true);
  expect(stands('a.txt', 'new', '@@ -1 +1 @@\n--- old')).toBe(false);
  expect(stands('a.txt', 'new', '@@ -1 +1 @@\n end\n')).toBe(true);
  expect(stands('a.txt', 'new', '')).toBe(false);
});

it('knows files by their names, of whatever signs', () => {
  expect(stands('ä "q".txt', 'new', '+only')).toBe(true);
  expect(stands('gone', 'old', '-was')).toBe(true);
  expect(stands('other', 'new', '+only')).toBe(false);
});
