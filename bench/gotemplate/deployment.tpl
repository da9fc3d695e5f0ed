{{- define "name" -}}{{ default "app" .name | trunc 63 | trimSuffix "-" }}{{- end -}}
{{- define "labels" -}}
app.kubernetes.io/name: {{ template "name" . }}
app.kubernetes.io/version: {{ .version | quote }}
{{- range $key, $value := .labels }}
{{ $key }}: {{ $value | quote }}
{{- end }}
{{- end -}}
{{- range $index, $component := .components }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ template "name" $ }}-{{ $component.name | lower | replace "_" "-" }}
  labels:
    {{- template "labels" $ }}
    component: {{ $component.name | quote }}
  {{- with $component.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  replicas: {{ default 1 $component.replicas | int }}
  template:
    spec:
      containers:
      - name: main
        image: {{ printf "%s/%s:%s" $.registry $component.image (default $.version $component.tag) | quote }}
        {{- if and $component.ports (gt (len $component.ports) 0) }}
        ports:
        {{- range $component.ports }}
        - name: {{ .name }}
          containerPort: {{ .port | int }}
        {{- end }}
        {{- end }}
        env:
        {{- range $name, $value := merge (dict "INDEX" (toString $index)) $component.env $.env }}
        - name: {{ $name | upper | snakecase | upper }}
          value: {{ $value | toString | quote }}
        {{- end }}
        resources: {{- $component.resources | default dict | toYaml | nindent 10 }}
        {{- if semverCompare ">=1.20-0" $.kubeVersion }}
        startupProbe: {{- toYaml $component.probe | nindent 10 }}
        {{- end }}
      checksum: {{ toJson $component | sha256sum | trunc 12 }}
{{- end }}
