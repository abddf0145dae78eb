// How the page looks: the system's fonts and colours, light or dark, from narrow screens up.

export const docsStyle = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1rem; margin: .5rem 0; }
details { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .5rem 0; }
summary { cursor: pointer; }
code, pre, textarea, output { font-family: ui-monospace, monospace; font-size: .9rem; }
pre, output { display: block; overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
textarea { display: block; width: 100%; box-sizing: border-box; }
input { font: inherit; max-width: 100%; }
button { font: inherit; padding: .25rem 1rem; }
`;
