export function CodexPanel() {
  return <p />;
}
