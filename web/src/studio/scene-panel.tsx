export function ScenePanel() {
  return <p />;
}
